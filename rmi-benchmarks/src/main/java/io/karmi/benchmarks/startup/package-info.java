/**
 * What KaRMI adds to the start of a program: {@code karmi-bench startup}.
 *
 * <p>{@link io.karmi.benchmarks.startup.SampleProgram} multiplies the classes of {@code .program}
 * into a program of thousands; {@link io.karmi.benchmarks.startup.StartupBenchmark} runs it again
 * and again, without an agent, with one that does nothing, and with KaRMI's, in turn. {@link
 * io.karmi.benchmarks.startup.RemoteStartup} does the same to the server and client of {@code
 * .remote}, with what can be prepared ahead of time.
 */
@NullMarked
package io.karmi.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
