package io.karmi.benchmarks.results;

import java.util.List;

/**
 * Where and how a run was made.
 *
 * @param date when it began, ISO 8601
 * @param commit of the sources, or {@code unknown}
 * @param machine the processor's model, the memory and the system
 * @param processors of the harness's machine
 * @param processorsAwake whether they were kept from sleeping between two messages
 * @param hosts the names of the hosts; empty if everything ran on one machine
 * @param jdk version, vendor and VM
 * @param jvmOptions given to each JVM, in brackets those for some kernels
 * @param plan what was asked for, as text; runs with the same plan can be continued
 * @param forks how often the JVMs of each kernel were started
 * @param rounds how often each kernel was measured in each fork, at most
 * @param warmUpMillis at least, before the first round of a fork
 * @param measureMillis per kernel, stack and round
 */
public record Conditions(
    String date,
    String commit,
    String machine,
    int processors,
    boolean processorsAwake,
    List<String> hosts,
    String jdk,
    List<String> jvmOptions,
    String plan,
    int forks,
    int rounds,
    long warmUpMillis,
    long measureMillis) {}
