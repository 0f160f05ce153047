# shellcheck shell=bash
# Sourced by scripts/run, scripts/test and scripts/check: makes what they need, or says what is missing.
#
#   setup_environment run|dev   .venv with the program (and, for dev, the tools), made or renewed if needed
#   setup_system FLAG...        libraries, fonts and Xvfb (flags of nova_review/services/system_parts.py)
#
# As root on Debian or Ubuntu what is missing is installed; otherwise the exact line is printed.

root_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv_python="$root_folder/.venv/bin/python"
stamp_file="$root_folder/.venv/.nova-review-setup"
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_WARN_SCRIPT_LOCATION=1
export PYTHONUTF8=1

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$@"
    exit 1
}

may_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

apt_install() {
    say "Installing with apt-get: $*"
    if [ -z "${apt_is_fresh:-}" ]; then
        apt-get update -qq >&2 || say "apt-get update failed; trying with the lists that are here."
        apt_is_fresh=yes
    fi
    local lines
    lines=$(DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" </dev/null 2>&1) && return
    say "$lines"
    return 1
}

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    local name
    for name in ${NOVA_REVIEW_PYTHON:-} python3 python3.11 python3.12 python3.13 python3.14 python; do
        if is_new_enough "$name"; then
            command -v "$name"
            return
        fi
    done
    return 1
}

make_venv() {
    local python
    if ! python=$(find_python) && may_install; then
        apt_install python3 python3-venv || true
        python=$(find_python) || true
    fi
    [ -n "$python" ] || fail "Python 3.11 or newer is needed and was not found. Install it (on Debian 12, Ubuntu 24.04 or newer:" \
        "sudo apt-get install python3 python3-venv), or name one in NOVA_REVIEW_PYTHON."
    rm -rf "$root_folder/.venv"
    if "$python" -m venv "$root_folder/.venv" >/dev/null 2>&1; then return; fi
    rm -rf "$root_folder/.venv"
    local version
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if may_install; then
        apt_install python3-venv || true
        if "$python" -m venv "$root_folder/.venv" >/dev/null 2>&1; then return; fi
        apt_install "python$version-venv" || true
        if "$python" -m venv "$root_folder/.venv"; then return; fi
        rm -rf "$root_folder/.venv"
    fi
    fail "Python at $python cannot make an environment. On Debian or Ubuntu: sudo apt-get install python$version-venv"
}

wanted_stamp() { printf '%s %s %s\n' "$1" "$root_folder" "$(cksum <"$root_folder/pyproject.toml")"; }

is_set_up() {
    [ -f "$stamp_file" ] || return 1
    local stamp
    stamp=$(cat "$stamp_file")
    # The developer's environment holds all that a run needs.
    [ "$stamp" = "$(wanted_stamp dev)" ] || { [ "$1" = run ] && [ "$stamp" = "$(wanted_stamp run)" ]; }
}

setup_environment() {
    local kind=$1 what=.
    if ! is_new_enough "$venv_python"; then make_venv; fi
    if is_set_up "$kind"; then return; fi
    [ "$kind" = run ] || what='.[dev]'
    say "Setting up the environment in .venv (the first time this takes some minutes)..."
    "$venv_python" -m pip --version >/dev/null 2>&1 || "$venv_python" -m ensurepip -q >&2
    (cd "$root_folder" && "$venv_python" -m pip install -qq --editable "$what" </dev/null >&2) \
        || fail "The packages could not be installed; the lines above say why (often: no network, or a full disk)."
    wanted_stamp "$kind" >"$stamp_file"
}

missing_packages() { "$venv_python" -I "$root_folder/nova_review/services/system_parts.py" "$@" | tr '\n' ' ' | sed 's/ *$//'; }

# Installs what is missing, or prints the line and returns 1.
setup_system() {
    local missing
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    if may_install; then
        # shellcheck disable=SC2086 # one word is one package
        apt_install $missing || true
        missing=$(missing_packages "$@")
        [ -n "$missing" ] || return 0
        say "Still missing after the installation: $missing"
    elif command -v apt-get >/dev/null; then
        say "Parts of the system are missing. Install them and start again:"
        say "    sudo apt-get install $missing"
    else
        say "Parts of the system are missing (named as Debian's packages): $missing"
    fi
    return 1
}
