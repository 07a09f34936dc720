//! The kernel's calls that a run has no use for and that lead around the other walls, as a seccomp
//! program in the form that bubblewrap reads. Other calls stay allowed: toolchains and tests need
//! almost all of them.

/// Operations of the filter's machine.
const LOAD: u16 = 0x20;
const IF_EQUAL: u16 = 0x15;
const IF_AT_LEAST: u16 = 0x35;
const IF_ANY_BIT: u16 = 0x45;
const RETURN: u16 = 0x06;
/// Offsets in the kernel's description of a call.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const fn argument(number: u32) -> u32 {
    // The lower half, on machines that store it first; all of the tests below are about 32 bits.
    16 + number * 8
}

const ALLOWED: u32 = 0x7fff_0000;
const KILLED: u32 = 0x8000_0000;
const fn refused(error: i32) -> u32 {
    0x0005_0000 | error as u32
}

#[cfg(target_arch = "x86_64")]
const OWN_ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const OWN_ARCHITECTURE: u32 = 0xc000_00b7;
/// The first number of the second table that some kernels have for the same calls.
#[cfg(target_arch = "x86_64")]
const SECOND_TABLE: u32 = 0x4000_0000;

/// Calls that are refused whatever their arguments.
const CALLS: &[libc::c_long] = &[
    // Keys of the person's session.
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    // Another view of the files.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    // Parts of the kernel that no test needs, and that most ways around such walls went through.
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
];
/// Calls that programs do without where the kernel is too old for them.
const UNKNOWN: &[libc::c_long] = &[
    // Its flags are in memory, which a filter cannot read. With ENOSYS programs use `clone`
    // instead.
    libc::SYS_clone3,
    // Calls through a ring pass no filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];
/// Requests to a terminal that put something into its input, or change its console.
const REQUESTS: &[u32] = &[0x5412, 0x541c];
/// Families of sockets that end at this machine and its own network, which the namespace replaces:
/// files, IPv4, IPv6, netlink. Other families, such as those to the host of a virtual machine, have
/// no namespace.
const FAMILIES: &[u32] = &[1, 2, 10, 16];
/// The namespaces that a process can make: of files, cgroups, names, messages, users, processes,
/// the network. That of times is left out, because `clone` uses its bit for a signal number.
const NAMESPACES: u32 =
    0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000;

/// One step of the filter: its operation, how far it jumps if that is true and if not, and its
/// number.
#[derive(Clone, Copy, Debug)]
struct FilterStep(u16, u8, u8, u32);

/// Returns the filter in the form that the kernel reads, or `None` on a machine whose calls are not
/// known here.
pub(super) fn bytes() -> Option<Vec<u8>> {
    let steps = steps()?;
    let bytes = steps
        .iter()
        .flat_map(|FilterStep(code, holds, fails, number)| {
            let mut bytes = code.to_ne_bytes().to_vec();
            bytes.extend([*holds, *fails]);
            bytes.extend(number.to_ne_bytes());
            bytes
        });
    Some(bytes.collect())
}

#[cfg(all(
    target_endian = "little",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn steps() -> Option<Vec<FilterStep>> {
    let mut steps = vec![
        FilterStep(LOAD, 0, 0, ARCHITECTURE),
        // Each architecture numbers its calls differently, so the list below is of this one only.
        FilterStep(IF_EQUAL, 1, 0, OWN_ARCHITECTURE),
        FilterStep(RETURN, 0, 0, KILLED),
        FilterStep(LOAD, 0, 0, NUMBER),
    ];
    #[cfg(target_arch = "x86_64")]
    steps.extend([
        FilterStep(IF_AT_LEAST, 0, 1, SECOND_TABLE),
        FilterStep(RETURN, 0, 0, refused(libc::ENOSYS)),
    ]);
    let number = |call: libc::c_long| u32::try_from(call).ok();
    for (calls, error) in [(CALLS, libc::EPERM), (UNKNOWN, libc::ENOSYS)] {
        for call in calls {
            steps.extend([
                FilterStep(IF_EQUAL, 0, 1, number(*call)?),
                FilterStep(RETURN, 0, 0, refused(error)),
            ]);
        }
    }
    let namespaces = [
        FilterStep(LOAD, 0, 0, argument(0)),
        FilterStep(IF_ANY_BIT, 0, 1, NAMESPACES),
        FilterStep(RETURN, 0, 0, refused(libc::EPERM)),
    ];
    for call in [libc::SYS_clone, libc::SYS_unshare] {
        add_test(&mut steps, number(call)?, &namespaces);
    }
    let requests = listed(1, REQUESTS, refused(libc::EPERM));
    add_test(&mut steps, number(libc::SYS_ioctl)?, &requests);
    let mut families = listed(0, FAMILIES, ALLOWED);
    families.push(FilterStep(RETURN, 0, 0, refused(libc::EAFNOSUPPORT)));
    for call in [libc::SYS_socket, libc::SYS_socketpair] {
        add_test(&mut steps, number(call)?, &families);
    }
    steps.push(FilterStep(RETURN, 0, 0, ALLOWED));
    Some(steps)
}

#[cfg(not(all(
    target_endian = "little",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
fn steps() -> Option<Vec<FilterStep>> {
    None
}

/// Returns the steps that end a call if an argument is one of some numbers.
fn listed(argument_number: u32, numbers: &[u32], end: u32) -> Vec<FilterStep> {
    let mut steps = vec![FilterStep(LOAD, 0, 0, argument(argument_number))];
    for number in numbers {
        steps.push(FilterStep(IF_EQUAL, 0, 1, *number));
        steps.push(FilterStep(RETURN, 0, 0, end));
    }
    steps
}

/// Adds the steps for one call. A call that passes them is allowed; other calls go on to the next
/// test.
fn add_test(steps: &mut Vec<FilterStep>, call: u32, test: &[FilterStep]) {
    let length = u8::try_from(test.len() + 1).unwrap_or(u8::MAX);
    steps.push(FilterStep(IF_EQUAL, 0, length, call));
    steps.extend_from_slice(test);
    steps.push(FilterStep(RETURN, 0, 0, ALLOWED));
}
