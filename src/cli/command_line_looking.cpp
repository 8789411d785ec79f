// SPDX-License-Identifier: Apache-2.0
// Verbs that look at hosts and at profiles.
#include "cli/command_line.hpp"

namespace fabric::cli {

void CommandLine::addCheck() {
    CLI::App& check = addVerb(
        app_, "check", "drift against the profile; writes nothing", Verb::check);
    addProfilePath(check);
    addSelection(check);
    check.add_flag("--probe",
                   options_.probe,
                   "send one frame on each rail: do rails share a broadcast "
                   "domain?");
    addRecords(check);
    check.add_flag("--boot",
                   options_.boot,
                   "also say whether this boot was configured, when and by which "
                   "run");
}

void CommandLine::addStatus() {
    CLI::App& status =
        addVerb(app_,
                "status",
                "what this host's rails and bridges look like; needs no profile",
                Verb::status);
    addRail(status);
    addHost(status);
    status.add_flag("--probe-l2",
                    options_.probe,
                    "send one frame on each rail: do rails share a broadcast "
                    "domain?");
    addValue(status,
             "--audit",
             ipAddress(options_.audit, "--audit"),
             "ask who answers ARP for a peer's address; may change this host's own "
             "entry");
}

void CommandLine::addDoctor() {
    CLI::App& doctor =
        addVerb(app_,
                "doctor",
                "why RDMA does not work here: every known cause, or those of a "
                "symptom; writes nothing",
                Verb::doctor);
    addValue(doctor,
             "SYMPTOM",
             symptom(options_.symptom),
             "what is observed; doctor --list names them");
    addHost(doctor);
    addValue(doctor,
             "--profile",
             nonEmpty(options_.profilePath, "--profile: an empty name names no file"),
             "what the host is compared with besides")
        .default_str(kDefaultProfile)
        ->each([this](const std::string&) { options_.profileNamed = true; });
    addValue(
        doctor,
        "--interval",
        pace(options_.interval),
        "look at the counters again after this time, from 100ms to 1h, under load");
    addValue(
        doctor,
        "--before",
        fileToWrite(options_.beforePath, "--before"),
        "facts of this host of an earlier time: say which GID indexes moved since");
    addValue(doctor,
             "--peers",
             fileToWrite(options_.peersPath, "--peers"),
             "connect to TCP port 5555 of every peer in this file or directory of "
             "'fabricctl peers export', from each rail; print how RDMA is measured");
    addServerMetrics(doctor);
    doctor.add_flag(
        "--list", options_.list, "the symptoms with their rules, and every rule");
}

void CommandLine::addServerMetrics(CLI::App& verb) {
    addValue(verb,
             "--metrics-url",
             serverUrl(options_.metricsUrl, "--metrics-url"),
             "ask the storage server for its own numbers too, such as "
             "https://node1:9000");
    addValue(verb,
             "--metrics-token-file",
             fileToWrite(options_.metricsTokenFile, "--metrics-token-file"),
             "the bearer token for it, in a file that only you can read");
    addValue(verb,
             "--metrics-ca-file",
             fileToWrite(options_.metricsCaFile, "--metrics-ca-file"),
             "who signed its certificate, in PEM form; else whom this host trusts");
}

void CommandLine::addWatch() {
    CLI::App& watch = addVerb(app_,
                              "watch",
                              "whether the rails pause or drop, from their "
                              "counters, until it is stopped; "
                              "writes nothing",
                              Verb::watch);
    addRail(watch);
    addValue(watch,
             "--interval",
             pace(options_.interval),
             "how long between two looks, from 100ms to 1h")
        .default_str("1s");
    addValue(watch,
             "--count",
             positive(options_.count, "--count"),
             "end after so many intervals");
}

void CommandLine::addFacts() {
    CLI::App& facts =
        addVerb(app_,
                "facts",
                "everything observed of this host as one JSON file, without "
                "secrets, for --host",
                Verb::facts);
    addProfilePath(facts);
    addValue(facts,
             "-o,--output",
             fileToWrite(options_.output, "--output"),
             "write them to a file and print what could not be read");
    addValue(facts,
             "--bundle",
             fileToWrite(options_.bundlePath, "--bundle"),
             "write an archive (.tar.gz) for whoever helps: the facts, the RDMA "
             "devices as text, journal lines about RDMA, the last reports, the "
             "profile")
        .excludes(facts.get_option("--output"));
    facts.add_flag(
        "--anonymise",
        options_.anonymise,
        "put others in place of addresses, MACs, GUIDs and ids, of names of "
        "hosts, domains, users, interfaces, RDMA devices and profiles; names "
        "of files and of units stay, and what is found");
}

void CommandLine::addFleet() {
    CLI::App& fleet = addGroup("fleet", "many hosts, by their facts");
    CLI::App& check =
        addVerb(fleet,
                "check",
                "compare the facts of many hosts: which one is not like the others",
                Verb::fleetCheck);
    check
        .add_option("FACTS",
                    options_.fleetPaths,
                    "files of 'fabricctl facts', directories of them, or - for "
                    "standard input")
        ->required();
    addValue(check,
             "--expect",
             fileToWrite(options_.expectPath, "--expect"),
             "a file with the name of every host that should be there, one per line");
    addValue(check,
             "--profile",
             nonEmpty(options_.profilePath, "--profile: an empty name names no file"),
             "the profile that says which interfaces are rails, and which unit is the "
             "server; else RDMA ports and that of MinIO")
        .each([this](const std::string&) { options_.profileNamed = true; });
}

void CommandLine::addSwitch() {
    CLI::App& group =
        addGroup("switch", "the switches between the hosts, by the same profile");
    const auto addSystem = [this](CLI::App& verb) {
        addChoice<SwitchSystem>(verb,
                                "--os",
                                system_,
                                {{"cumulus", SwitchSystem::cumulus}},
                                "what runs on the switch: Cumulus Linux 5 with NVUE")
            .required();
    };
    CLI::App& render = addVerb(group,
                               "render",
                               "the commands for a switch; asks and changes none",
                               Verb::switchRender);
    addProfilePath(render);
    addSystem(render);
    CLI::App& verify = addVerb(group,
                               "verify",
                               "where switch, host and server disagree, by what the "
                               "switch printed; writes nothing",
                               Verb::switchVerify);
    verify
        .add_option("FILE",
                    options_.switchPaths,
                    "the output of 'nv show qos roce' and of 'nv show qos "
                    "congestion-control default-global traffic-class 3', as text or "
                    "with -o json, or - for standard input")
        ->required();
    addSystem(verify);
    addValue(verify,
             "--profile",
             nonEmpty(options_.profilePath, "--profile: an empty name names no file"),
             "what switch and host are compared with")
        .default_str(kDefaultProfile)
        ->each([this](const std::string&) { options_.profileNamed = true; });
    addValue(verify,
             "--host",
             fileToWrite(options_.factsPath, "--host"),
             "compare with the host of this file of 'fabricctl facts', not this one");
}

void CommandLine::addPeers() {
    CLI::App& peers = addGroup("peers", "the inventory for the wrong-rail check");
    addRail(addVerb(peers,
                    "export",
                    "this host's rails, addresses and MACs, for its peers",
                    Verb::peersExport));
}

void CommandLine::addProfile() {
    CLI::App& profile = addGroup("profile", "work on profiles");
    addProfilePath(addVerb(profile,
                           "validate",
                           "read a profile and list everything wrong in it",
                           Verb::profileValidate));
    CLI::App& show = addVerb(profile,
                             "show",
                             "the effective profile per rail, defaults filled in",
                             Verb::profileShow);
    addProfilePath(show);
    addRail(show);
    addValue(
        addVerb(profile, "init", "write a profile for this host", Verb::profileInit),
        "-o,--output",
        nonEmpty(options_.output, "--output: an empty name names no file"),
        "a new file; without it the profile is printed");
    addVerb(profile,
            "schema",
            "the JSON Schema (2020-12) of a profile, for editors",
            Verb::profileSchema);
    CLI::App& explain = addVerb(profile,
                                "explain",
                                "what a key means, its default, what it touches",
                                Verb::profileExplain);
    explain.add_option("KEY", options_.key, "such as arp.ignore; none lists all");
}

}  // namespace fabric::cli
