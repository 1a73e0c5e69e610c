# Defaults: what rules have in common, filled in when all of them are read.
#
# Needs:  all rules
# Makes:  of each rule with a script the log, and the file of the time and memory it took, by its name and its wildcards' values;
#         the environment, if it names no other; the checksum of the library that its script imports, if it loads no module by its name;
#         the seed, if its script takes one


for each in workflow.rules:
    if each.script:
        values = "_".join(f"{{{name}}}" for name in sorted(each.wildcard_names))
        name = f"{each.name}{values and '/'}{values}"
        each.log_modifier = each.benchmark_modifier = each.output_modifier
        each.set_log(f"results/logs/{name}.log")
        each.benchmark = f"results/benchmarks/{name}.tsv"
        if not each.conda_env:
            each.conda_env = "../../envs/base.yaml"
        path = Path(each.script).relative_to("../../scripts")
        if "library" not in each.params.keys():
            each.set_params(library=library(path))
        if "seed" not in each.params.keys() and takes_seed(path):
            each.set_params(seed=config["seed"])
