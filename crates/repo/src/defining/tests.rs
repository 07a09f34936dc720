use super::*;

#[test]
fn lines_define_names() {
    let cases = [
        ("def find_spec(self):", Some("find_spec")),
        ("    async def close(self):", Some("close")),
        ("  def self.build(x)", Some("build")),
        ("pub(crate) const fn start() {", Some("start")),
        (
            "func (s *Server) Serve(l net.Listener) error {",
            Some("Serve"),
        ),
        (
            "    public static int parseInt(String s) throws E {",
            Some("parseInt"),
        ),
        ("int main(int argc, char **argv)", Some("main")),
        ("export default class Axios {", Some("Axios")),
        ("  request(config) {", Some("request")),
        ("nvm_version() {", Some("nvm_version")),
        ("decode :: ByteString -> Maybe a", Some("decode")),
        ("DEFAULT_LIMIT = 4", Some("DEFAULT_LIMIT")),
        ("    if (x) {", None),
        ("    foo(bar);", None),
        ("    x = call(y) {", None),
        ("// def nothing", None),
        ("", None),
    ];
    for (line, expected) in cases {
        let found = defined_on(line.as_bytes()).map(|range| &line[range]);
        assert_eq!(found, expected, "{line}");
    }
}
