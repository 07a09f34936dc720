/* Before `main` the runtime of Rust puts /dev/null in the place of a closed standard output, and every write to that succeeds:
   an answer that nobody can read would end as a success. /dev/full refuses every write, so that it ends as an error; where a system
   has none, a pipe without a reader does. */
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void refuse_to_write_nowhere(void) {
    if (fcntl(STDOUT_FILENO, F_GETFD) != -1) {
        return;
    }
    int full = open("/dev/full", O_WRONLY);
#ifndef __linux__
    int ends[2];
    if (full == -1 && pipe(ends) == 0) {
        full = ends[1];
        if (ends[0] == STDOUT_FILENO) {
            dup2(full, STDOUT_FILENO);
        } else {
            close(ends[0]);
        }
    }
#endif
    if (full != -1 && full != STDOUT_FILENO) {
        dup2(full, STDOUT_FILENO);
        close(full);
    }
}
