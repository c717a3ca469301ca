# SPDX-License-Identifier: BSD-3-Clause
"""scripts/setup on machines that lack something, with stand-ins for the package tools."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Setup(unittest.TestCase):
    def run_setup(self, missing=(), user=0, sudo_works=None, update_fails=False, arguments=()):
        """The completed process and the calls of the stand-ins, one a line."""
        with tempfile.TemporaryDirectory() as folder:
            calls = pathlib.Path(folder, "calls")
            calls.touch()

            def stand_in(name, body):
                path = pathlib.Path(folder, name)
                path.write_text("#!/bin/sh\n" + body)
                path.chmod(0o755)

            lacking = "|".join(missing) or "-"
            stand_in("dpkg-query", f'case "$3" in {lacking}) exit 1;; *) printf installed;; esac\n')
            stand_in("id", f"echo {user}\n")
            record = f'echo "$(basename "$0") $*" >> {calls}\n'
            stand_in("apt-get", record + ('case "$*" in *update*) exit 100;; esac\n' if update_fails else ""))
            stand_in("cmake", record)
            # Without sudo on the machine the name must still not reach a real one: the stand-in then refuses.
            stand_in("sudo", '[ "$1" = -n ] && exit 0\n' + record + 'exec "$@"\n' if sudo_works else "exit 1\n")
            done = subprocess.run([ROOT / "scripts/setup", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  env={**os.environ, "PATH": f"{folder}:/usr/bin:/bin"}, check=False)
            return done, calls.read_text().splitlines()

    def test_calls_no_package_manager_when_nothing_is_missing(self):
        done, calls = self.run_setup()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse([call for call in calls if "apt" in call])
        self.assertTrue([call for call in calls if call.startswith("cmake --build")])

    def test_root_installs_what_is_missing_without_sudo_and_update_comes_first(self):
        done, calls = self.run_setup(missing=["ccache", "libcli11-dev"])
        self.assertEqual(done.returncode, 0, done.stderr)
        apt = [call for call in calls if call.startswith("apt-get")]
        self.assertEqual([call.replace(" -o Dpkg::Use-Pty=0", "") for call in apt],
                         ["apt-get -qq update", "apt-get -qq install -y --no-install-recommends libcli11-dev ccache"])
        self.assertFalse([call for call in calls if call.startswith("sudo")])

    def test_a_failed_update_does_not_stop_the_installation(self):
        done, calls = self.run_setup(missing=["ccache"], update_fails=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends ccache", calls)

    def test_a_user_with_sudo_installs_by_it(self):
        done, calls = self.run_setup(missing=["ccache"], user=1000, sudo_works=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue([call for call in calls if call.startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get")])

    def test_running_a_deck_needs_no_package_of_the_tests(self):
        missing = ["libgtest-dev", "libbenchmark-dev", "libsundials-dev", "python3-scipy", "ccache", "clang-tools"]
        done, calls = self.run_setup(missing=missing, arguments=["--for", "run", "--target", "polhode"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse([call for call in calls if "apt" in call])
        self.assertTrue([call for call in calls if "--target polhode" in call])

    def test_each_purpose_installs_what_it_needs(self):
        for purpose, package in [("sundials", "libsundials-dev"), ("test", "libgtest-dev"), ("lint", "clang-tools"),
                                 ("package", "debootstrap"), ("browser", "chromium"), ("run", "libjs-three")]:
            done, calls = self.run_setup(missing=[package], arguments=["--for", purpose, "--configure-only"])
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue([call for call in calls if "install" in call and call.endswith(package)], purpose)
            self.assertFalse([call for call in calls if "--build" in call])

    def test_an_unknown_purpose_is_refused(self):
        done, calls = self.run_setup(arguments=["--for", "fun"])
        self.assertEqual(done.returncode, 2)
        self.assertIn("run, sundials, python, lint, fuzz, package, browser or test", done.stderr)
        self.assertEqual(calls, [])

    def test_a_user_without_sudo_gets_the_line_to_run_and_status_1(self):
        done, calls = self.run_setup(missing=["ccache", "libhdf5-dev"], user=1000)
        self.assertEqual(done.returncode, 1)
        self.assertIn("apt-get install -y --no-install-recommends libhdf5-dev ccache", done.stderr)
        self.assertEqual(calls, [])


if __name__ == "__main__":
    unittest.main()
