//! Words that programmers use for one another: what a person calls `visitor` is a `client` in the
//! code.
//!
//! A small general table. A word or phrase of a description adds the other words of its line, which
//! count less than the words that were written.

use grounds_repo::stem::stem_of;

/// Lines of words for one thing. A phrase is written with underscores, and is only recognised,
/// never added.
const GROUPS: &str = "\
delete remove erase discard drop purge unlink
create make build construct generate instantiate produce
modify change update edit alter mutate
modified changed diff uncommitted
limit throttle cap restrict maximum max quota bound
simultaneous concurrent parallel exclusive mutual at_the_same_time at_once same_time together
together combine join merge concatenate concat
forbid disallow prohibit deny reject must_not not_allowed
refuse reject deny decline
check validate verify ensure assert
valid correct legal wellformed
fresh stale expire up_to_date still_good still_valid unchanged not_modified outdated
cache memoize remember reuse stored_copy client_copy
client visitor caller remote consumer peer
user visitor person account
owner group user belong permission
real actual true original
proxy forward nginx load_balancer behind_a reverse_proxy gateway
ip address host remote
path route url endpoint uri
route dispatch match router find_the_handler
handler callback listener hook
handle process treat deal
panic crash recover abort fatal blow_up
error exception failure fault fail
catch rescue recover swallow trap
retry reattempt again backoff try_again
wait sleep delay pause block
timeout deadline expire take_too_long too_slow
slow delay latency
flaky unreliable failure fail network_problem
simulate mock fake stub emulate
escape sanitize encode neutralize strip clean
escape_codes control_characters ansi sequence escape
malicious untrusted unsafe hostile attack injection
protect guard prevent secure sanitize defend
invisible nonprintable unprintable whitespace control hidden
hidden dotfile ignore invisible
symbol character glyph notation
screen terminal console tty display stdout
print output write display show dump emit
window terminal title
binary content_type non_text inspect
detect recognise recognize determine guess infer identify sniff work_out figure_out tell_whether
light dark theme colorscheme appearance background
color colour style highlight theme
align column table pad width lined_up
wrap break fold
shorten truncate abbreviate cut ellipsis
mistype typo misspell suggest similar spell did_you_mean distance levenshtein close_match
suggest hint recommend propose tip
tip hint help suggestion
complete completion autocomplete pressing_tab tab_key
option flag switch argument parameter
parameter argument arg param
required mandatory missing must_be_given
default fallback when_nothing_is_given unless_given
prompt ask question confirm interactive
confirm prompt yes_or_no ask_first are_you_sure
password secret credential hide_input
config configuration settings preferences options rc
environment env variable
mount subapp nest underneath attach sub_application
template view render layout
find locate search lookup resolve discover
look_up lookup resolve find
search find match query
sort order rank compare
filter restrict exclude include select narrow
skip ignore omit exclude leave_out
ignore exclude gitignore skip
collision conflict exist overwrite already_there already_exists
conflict collision clash contradict
overwrite replace clobber force
copy clone duplicate
move rename relocate
link hyperlink clickable url href
hyperlink clickable osc
click mouse press
double_click explorer mousetrap windows
start launch boot begin startup run spawn
stop terminate quit exit shutdown kill halt end
exit quit status code terminate
run execute invoke call perform
background async daemon worker job
thread executor worker pool main_thread
async await promise future deferred
stream chunk pipe incremental piece_by_piece
download fetch retrieve get pull
upload send post multipart file_upload
fetch get retrieve load obtain
redirect location follow
cookie session jar
login authenticate auth signin sign_in log_in credential
permission allow authorize access privilege
encrypt cipher tls ssl secure
certificate ca tls ssl trust
compress gzip deflate zip encoding smaller shrink
decompress unpack unzip inflate decode
serialize marshal encode dump json
deserialize unmarshal decode parse
convert transform translate coerce cast turning_into
convert converter adapter serialize turn_into
parse read tokenize lex interpret
format render stringify pretty print
header metadata field
body payload content entity
request query call
response reply answer result
reply respond response
event signal notify emit trigger
notify callback event alert
subscribe listen observe watch
watch monitor observe reload
reload restart regenerate autoreload
save store persist write keep flush
load read open import
key identifier id name
list array collection sequence
map dictionary dict hash table
queue buffer backlog
buffer batch accumulate
batch bulk group
memory heap ram allocate
evict expire memory purge
progress percent bar download_progress
log trace record logger debug
measure metric duration elapsed timing time
test spec check assert
version release upgrade
deprecated obsolete legacy outdated
plugin extension addon middleware
middleware plugin hook chain interceptor filter
inject provide dependency
register add attach subscribe install
unregister detach remove unsubscribe
nested recursive inner subdirectory
recursive walk traverse descend
directory folder dir
file document
line row
pager paging less page
page paginate pagination next_page
syntax grammar language highlight
language syntax locale filetype
translate locale i18n gettext
date time timestamp datetime
duplicate dedupe unique twice repeated
unique distinct uuid random
random shuffle seed
number numeric integer count digit
count number total tally
size length bytes width
empty blank missing none null
missing absent not_found unknown undefined
null none nil undefined
increase increment grow raise
decrease decrement shrink reduce
compare equal diff match
subcommand command verb action
command subcommand program
alias shortcut shorthand synonym
usage help synopsis banner
documentation docs help manual
generate scaffold codegen emit
replace substitute swap gsub
insert append add put prepend
split separate divide chunk partition
inherit extend subclass parent derive
child nested sub descendant
parent ancestor enclosing
lifecycle setup teardown init
initialize setup init bootstrap prepare
cleanup close dispose teardown release destroy finalize
lock mutex synchronize semaphore
socket connection tcp
connection socket keepalive pool
keep_alive persistent connection pool
idle unused inactive
static asset public
url uri link href address
wildcard glob pattern asterisk
pattern regex regexp expression
";

/// Returns the stems of synonyms for the words of a text, without its own words.
pub(super) fn of(text: &str) -> Vec<String> {
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| stem_of(&word.to_lowercase()))
        .collect();
    let mut found: Vec<String> = Vec::new();
    for group in GROUPS.lines() {
        let is_said = group.split(' ').any(|member| says(&words, member));
        let others = group.split(' ').filter(|member| !member.contains('_'));
        for stem in others.filter(|_| is_said).map(stem_of) {
            if !words.contains(&stem) && !found.contains(&stem) {
                found.push(stem);
            }
        }
    }
    found
}

/// Reports whether stems contain a word or phrase.
fn says(words: &[String], member: &str) -> bool {
    let phrase: Vec<String> = member.split('_').map(stem_of).collect();
    words.windows(phrase.len()).any(|part| part == phrase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_brings_those_of_its_line() {
        let stems = of("limits what a visitor may do at the same time");
        for word in ["client", "throttle", "concurrent"] {
            assert!(stems.contains(&stem_of(word)), "{word}: {stems:?}");
        }
        // Its own words, and phrases, are not added.
        let is_own = |stem: &String| stem.contains('_') || stem == "visit";
        assert!(!stems.iter().any(is_own));
        assert!(of("").is_empty());
    }
}
