"""Profiles: their keys are options of Snakemake or of their executor, a comment explains each, and each plans a run.

Plans take the plugins of `requirements-profiles.lock`, which are in an environment of their own.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from snakemake.cli import get_argument_parser

ROOT = Path(__file__).parents[2]
PROFILES = sorted((ROOT / "profiles").glob("*/profile.yaml"))
WITHOUT_SHARED_DISK = ("aws-batch", "googlebatch", "kubernetes")
OPTIONS = {option for action in get_argument_parser()._actions for option in action.option_strings}


@pytest.mark.parametrize("path", PROFILES, ids=[path.parent.name for path in PROFILES])
def test_each_key_is_an_option_of_snakemake_or_of_the_executor(path):
    profile = yaml.safe_load(path.read_text(encoding="utf-8"))
    own = f"{profile.get('executor', 'nothing')}-"
    assert [key for key in profile if f"--{key}" not in OPTIONS and not key.startswith(own)] == []


@pytest.mark.parametrize("name", WITHOUT_SHARED_DISK)
def test_jobs_without_a_shared_disk_have_a_storage_and_each_key_is_explained(name):
    text = (ROOT / f"profiles/{name}/profile.yaml").read_text(encoding="utf-8")
    profile = yaml.safe_load(text)
    assert profile["shared-fs-usage"] == "none"
    assert profile["default-storage-provider"]
    lines = re.findall(r"^(?:# )?([\w-]+): .*$", text, re.MULTILINE)
    assert profile.keys() - {"default-resources"} <= set(lines)
    unexplained = [line for line in text.splitlines() if re.match(r"[\w-]+: ", line) and " # " not in line]
    assert unexplained == [f"executor: {name}"]


PLUGINS = (
    "snakemake_executor_plugin_aws_batch",
    "snakemake_executor_plugin_googlebatch",
    "snakemake_executor_plugin_kubernetes",
    "snakemake_executor_plugin_slurm",
    "snakemake_storage_plugin_gcs",
    "snakemake_storage_plugin_s3",
)
BUCKET = "bucket"
COMMANDS = {
    "aws-batch": """--aws-batch-region us-east-1 --container-image image
        --aws-batch-job-queue arn:aws:batch:us-east-1:123456789012:job-queue/queue
        --aws-batch-job-role arn:aws:iam::123456789012:role/role""",
    "cluster-generic": "",
    "default": "--cores 2",
    "googlebatch": "--googlebatch-project project --googlebatch-region us-east1 --googlebatch-container image",
    "kubernetes": "--container-image image",
    "slurm": "",
}
"""What the command of each profile adds, as `docs/how-to/cluster.md` and the profiles say."""
SMOKE = "configs/smoke.yaml"
FIGURE = "results/figures/timeline/figure_2"
STARTS_WITHIN = 60
"""Seconds in which a server has to answer."""


@contextmanager
def server(*command):
    """Start a program of this environment that serves on a port, which `{port}` stands for; return the port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program, *arguments = (each.format(port=port) for each in command)
    full = [Path(sys.executable).with_name(program), *arguments]
    with subprocess.Popen(full, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            end = time.monotonic() + STARTS_WITHIN
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    assert process.poll() is None, f"{program} ended"
                    assert time.monotonic() < end, f"{program} does not answer"
                    time.sleep(0.1)
            yield port
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def clouds():
    """An S3 server and a GCS server with an empty bucket each: options and environment by provider."""
    if missing := [name for name in PLUGINS if not find_spec(name)]:
        pytest.skip(f"found no {', '.join(missing)}; they are in requirements-profiles.lock")
    import boto3

    with ExitStack() as servers:
        s3 = f"http://127.0.0.1:{servers.enter_context(server('moto_server', '-p', '{port}'))}"
        emulator = ("gcp-storage-emulator", "start", "--host=127.0.0.1", "--port={port}", "--in-memory")
        gcs = f"http://127.0.0.1:{servers.enter_context(server(*emulator, f'--default-bucket={BUCKET}'))}"
        keys = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
        boto3.client(
            "s3", endpoint_url=s3, region_name="us-east-1", aws_access_key_id="key", aws_secret_access_key="secret"
        ).create_bucket(Bucket=BUCKET)
        yield {
            "s3": (["--storage-s3-endpoint-url", s3, "--default-storage-prefix", f"s3://{BUCKET}/folder"], keys),
            "gcs": (
                ["--storage-gcs-project", "project", "--default-storage-prefix", f"gs://{BUCKET}/folder"],
                {"STORAGE_EMULATOR_HOST": gcs, "GOOGLE_CLOUD_PROJECT": "project"},
            ),
        }


def snakemake(folder, *arguments, **variables):
    command = [sys.executable, "-m", "snakemake", *arguments]
    environment = {**os.environ, **variables}
    result = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert result.returncode == 0, result.stdout
    return result.stdout


@pytest.fixture
def checkout(tmp_path):
    """The project in a git repository, whose files Snakemake sends to jobs."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")
    for name in ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "workflow"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, folder / name)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("path", PROFILES, ids=[path.parent.name for path in PROFILES])
def test_each_profile_plans_the_default_run(path, clouds, checkout):
    profile = yaml.safe_load(path.read_text(encoding="utf-8"))
    options, variables = clouds.get(profile.get("default-storage-provider"), ([], {}))
    added = COMMANDS[path.parent.name].split()
    told = snakemake(checkout, "-n", "--profile", f"profiles/{path.parent.name}", *added, *options, **variables)
    rules = told.partition("Job stats:\n")[2].partition("\ntotal")[0]
    assert re.search(r"^check +1$", rules, re.MULTILINE)
    assert re.search(r"^draw_figure_3 +1$", rules, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["s3", "gcs"])
def test_a_figure_is_made_with_all_files_in_a_bucket_and_has_the_same_bytes(provider, clouds, checkout, tmp_path):
    options, variables = clouds[provider]
    shared = ("--cores", "1", "--configfile", SMOKE)
    apart = ("--default-storage-provider", provider, *options, "--shared-fs-usage", "none")
    snakemake(checkout, f"{FIGURE}.png", *shared, *apart, **variables)
    assert not (checkout / "results").exists()
    # What the bucket has is fetched by Snakemake too: a run in one place is laid beside it.
    fetch = tmp_path / "fetch.smk"
    fetch.write_text(
        f'rule fetch:\n    input: "{FIGURE}.csv"\n    output: local("fetched.csv")\n'
        '    shell: "cp {input} {output}"\n',
        encoding="utf-8",
    )
    snakemake(tmp_path, "-s", fetch, *shared[:2], *apart, **variables)
    snakemake(checkout, f"{FIGURE}.png", *shared)
    assert (tmp_path / "fetched.csv").read_bytes() == (checkout / f"{FIGURE}.csv").read_bytes()
