#!/bin/sh
# The files that start workers elsewhere: what systemd, Slurm and Kubernetes
# would say of them, as far as that can be found out without them.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
files=$(cd "${srcdir:-.}/referee/doc/workers" && pwd)
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checked=

# Every option that a file gives to "referee worker" is one.
"$referee" worker --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p' >options
for file in "$files"/*; do
    grep -v '^#SBATCH' "$file" | grep -o -- ' --[a-z-]*' | tr -d ' ' | sort -u >given
    for option in $(cat given); do
        case $option in --now) continue ;; esac
        count=$((count + 1))
        grep -qx -- "$option" options ||
            wrong "$(basename "$file"): referee worker has no $option"
    done
done

if command -v systemd-analyze >/dev/null; then
    sed "s|/usr/local/bin/referee|$referee|" "$files/referee-worker@.service" \
        >referee-worker@.service
    systemd-analyze verify ./referee-worker@.service 2>&1 |
        grep -i 'referee-worker' | grep -v "'man referee" >out
    same "systemd-analyze" '' "$(cat out)"
    checked="$checked systemd-analyze"
fi
sh -n "$files/worker.slurm" || wrong "worker.slurm: sh -n"
same "Slurm's lines stand before the first command" '' \
    "$(awk '/^[^#]/ { seen = 1 } /^#SBATCH/ && seen' "$files/worker.slurm")"
if command -v shellcheck >/dev/null; then
    shellcheck -s sh "$files/worker.slurm" >out 2>&1 ||
        wrong "shellcheck: $(cat out)"
    count=$((count + 1)) checked="$checked shellcheck"
fi
if python3 -c 'import yaml' 2>/dev/null; then
    python3 - "$files/worker-job.yaml" <<'END' >out 2>&1 ||
import sys, yaml

job = yaml.safe_load(open(sys.argv[1]))
assert (job["apiVersion"], job["kind"]) == ("batch/v1", "Job")
spec = job["spec"]
known = {"completionMode", "completions", "parallelism", "backoffLimit",
         "template"}
assert set(spec) <= known, set(spec) - known
assert spec["completionMode"] == "Indexed"
pod = spec["template"]["spec"]
assert pod["restartPolicy"] in ("OnFailure", "Never")
volumes = {v["name"] for v in pod["volumes"]}
for container in pod["containers"]:
    assert {"name", "image"} <= set(container)
    for mount in container["volumeMounts"]:
        assert mount["name"] in volumes, mount
    assert "JOB_COMPLETION_INDEX" in " ".join(container["args"])
END
        wrong "worker-job.yaml: $(tail -n 1 out)"
    count=$((count + 1)) checked="$checked yaml"
fi

echo "$count checks, $failed faults; asked:${checked:- nobody}"
[ "$failed" = 0 ]
