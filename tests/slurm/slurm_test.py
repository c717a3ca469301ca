# SPDX-License-Identifier: BSD-3-Clause
"""A study as a job array of a Slurm of its own on this machine: a task killed in mid-run, the array submitted again, and
the joined table held against the local run. Needs Debian's slurmctld, slurmd, slurm-client and munge; not in the suite:
cmake --build --preset release --target slurm_test."""
import getpass
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scancel", "squeue")
STUDY = f"""format: polhode-study/1
title: Shards of a job array
deck: {ROOT}/inputs/benchmarks/heavy_top.yaml
vary:
  analysis.duration: [10]
  bodies.top.mass: {{linspace: [10, 20, 40]}}
responses: {{height: {{last: nodes.centre.position.z}}, drift: {{range: energy.total}}}}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """munged, slurmctld and slurmd with everything in one folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.chmod(0o755)
        self.processes = []
        self.environment = {**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin",
                            "SLURM_CONF": str(self.folder / "slurm.conf")}
        for name in ("state", "spool", "munge"):
            (self.folder / name).mkdir(mode=0o755)
        key = self.folder / "munge/munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge/socket",
                   f"--pid-file={self.folder}/munge/pid", f"--log-file={self.folder}/munge/log",
                   f"--seed-file={self.folder}/munge/seed")
        host = socket.gethostname()
        (self.folder / "slurm.conf").write_text(f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge/socket
CredType=cred/munge
SlurmUser={getpass.getuser()}
SlurmdUser={getpass.getuser()}
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
KillWait=2
MinJobAge=300
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=all Nodes=one Default=YES MaxTime=INFINITE State=UP
""")
        self.wait_for(lambda: (self.folder / "munge/socket").exists(), "munged")
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D", "-N", "one")
        self.wait_for(lambda: "idle" in self.call("sinfo", "--noheader", "--format=%t", check=False), "a node")

    def start(self, *command):
        with open(self.folder / f"{command[0]}.out", "w", encoding="utf-8") as out:
            self.processes.append(subprocess.Popen(command, env=self.environment, stdout=out, stderr=out,
                                                   cwd=self.folder, start_new_session=True))

    def call(self, *command, check=True, cwd=None):
        done = subprocess.run(command, env=self.environment, cwd=cwd or self.folder, capture_output=True, text=True,
                              check=False, timeout=120)
        if check and done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def wait_for(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                logs = "".join(log.read_text(errors="replace")[-2000:] for log in self.folder.glob("slurm*.log"))
                raise AssertionError(f"waited {seconds} s for {what}\n{logs}")
            time.sleep(0.1)

    def stop(self):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        for process in reversed(self.processes):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


class Slurm(unittest.TestCase):
    def setUp(self):
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        missing = [name for name in NEEDED if not shutil.which(name, path=path)]
        if missing:
            self.skipTest(f"{', '.join(missing)} not found; apt-get install slurmctld slurmd slurm-client munge")
        temporary = tempfile.TemporaryDirectory(prefix="polhode_slurm_", ignore_cleanup_errors=True)
        self.addCleanup(temporary.cleanup)
        self.work = pathlib.Path(temporary.name, "work")
        self.work.mkdir()
        (self.work / "s.yaml").write_text(STUDY)
        self.program = os.environ["POLHODE_BINARY"]
        cluster_folder = pathlib.Path(temporary.name, "cluster")
        cluster_folder.mkdir()
        self.cluster = Cluster(cluster_folder)
        self.addCleanup(self.cluster.stop)
        self.cluster.environment["POLHODE"] = self.program

    def table(self, name):
        """The table without its last column, the processor time."""
        return [line.rsplit(",", 1)[0] for line in (self.work / name).read_text().splitlines()]

    def sweep(self, *arguments):
        subprocess.run([self.program, "sweep", "s.yaml", *arguments], cwd=self.work, check=True, capture_output=True)

    def submit(self):
        return self.cluster.call("sbatch", "--parsable", "--array=0-3", str(ROOT / "scripts/slurm/study.sh"), "s.yaml",
                                 cwd=self.work).strip()

    def wait_for_end(self, job):
        self.cluster.wait_for(lambda: not self.cluster.call("squeue", "--noheader", "--job", job, check=False).strip(),
                              f"the end of job {job}", 120)

    def rows(self, shard):
        file = self.work / f"s.{shard}of4.rows"
        return file.read_text().count("\tcompleted\t") if file.exists() else 0

    def test_a_job_array_with_a_killed_task_gives_the_local_table(self):
        self.sweep("--csv", "-o", "local.h5")
        first = self.submit()
        self.cluster.wait_for(lambda: self.rows(2) >= 1, "the first row of the second task")
        self.cluster.call("scancel", "--signal=KILL", "--full", f"{first}_1")
        self.wait_for_end(first)
        self.assertLess(self.rows(2), 10)
        joined = subprocess.run([self.program, "sweep", "s.yaml", "--collect"], cwd=self.work, capture_output=True,
                                text=True, check=False)
        self.assertEqual(joined.returncode, 3)
        self.assertIn("of 40 cases are missing", joined.stderr)
        self.wait_for_end(self.submit())
        self.sweep("--csv", "--collect")
        self.assertEqual(self.table("s.csv"), self.table("local.csv"))
        self.assertEqual([self.rows(shard) for shard in (1, 2, 3, 4)], [10, 10, 10, 10])

    def test_the_tasks_of_srun_share_the_cases_and_a_batch_script_alone_runs_all(self):
        self.sweep("--csv", "-o", "local.h5")
        self.cluster.call("srun", "--ntasks=4", "--overcommit", self.program, "sweep", "s.yaml", "-o", "steps.h5",
                          cwd=self.work)
        self.assertTrue((self.work / "steps.4of4.rows").exists())
        self.sweep("-o", "steps.h5", "--csv", "--collect")
        self.assertEqual(self.table("steps.csv"), self.table("local.csv"))
        job = self.cluster.call("sbatch", "--parsable", "--ntasks=2", "--wrap",
                                f"env | grep SLURM > environment; {self.program} sweep s.yaml -o batch.h5",
                                cwd=self.work).strip()
        self.wait_for_end(job)
        self.assertTrue((self.work / "batch.h5").exists(), (self.work / "environment").read_text())


if __name__ == "__main__":
    unittest.main()
