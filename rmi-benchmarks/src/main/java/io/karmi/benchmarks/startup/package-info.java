/**
 * What KaRMI adds to the start of a program: {@code karmi-bench startup}.
 *
 * <p>{@link io.karmi.benchmarks.startup.RemoteStartup} runs the server and client of {@code
 * .remote} again and again, on stock RMI, with the agent, and with what can be prepared ahead of
 * time.
 */
@NullMarked
package io.karmi.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
