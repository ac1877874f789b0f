/**
 * The same program on stock RMI and on KaRMI: what it sees must not differ.
 *
 * <p>The programs are in {@code .programs}, know only the JDK, and print what they observe. {@link
 * io.karmi.difference.Launcher} runs one end of a program in a JVM of its own, as it is or with the
 * twins of java.rmi in its class files, and {@link io.karmi.difference.Run} both ends. What they
 * show is compared with both ends on stock RMI
 *
 * <ul>
 *   <li>by {@link io.karmi.difference.DifferenceTest}, with both ends on KaRMI,
 *   <li>by {@link io.karmi.difference.WaysDifferenceTest}, over each of the technologies,
 *   <li>by {@link io.karmi.difference.MixedJdksTest}, with the ends on different JDKs,
 *   <li>by {@link io.karmi.difference.InteroperationTest}, with one end on KaRMI,
 *   <li>by {@link io.karmi.difference.RegistriesTest}, with a registry in a third JVM,
 *   <li>by the distribution's {@code DifferenceIT}, with KaRMI swapped in by the agent and by the
 *       boot path.
 * </ul>
 *
 * <table>
 *   <caption>Where to look for what</caption>
 *   <tr><td>exceptions, their messages and stack traces<td>Exceptions, Messages, Signatures
 *   <tr><td>what cannot be written or read, unknown methods, odd and dead peers, interrupts<td>Failures
 *   <tr><td>copies, identity, references to oneself, recursion, large arguments<td>Copies
 *   <tr><td>signatures of remote methods, kinds of remote objects<td>Signatures
 *   <tr><td>export, unexport, ports, equality, names of stubs<td>Exports
 *   <tr><td>client host, context loader, unexport during a call<td>Callers
 *   <tr><td>the log of calls<td>Logged
 *   <tr><td>time-outs, callers from another address<td>Settings
 *   <tr><td>when a JVM may end<td>Lifetime
 *   <tr><td>distributed garbage collection, Unreferenced<td>Collected, Mixed
 *   <tr><td>registries, names and URLs<td>Names, Elsewhere
 *   <tr><td>MarshalledObject, stubs in streams, JNDI<td>Stored, HandWritten
 *   <tr><td>class loaders<td>Loaders
 *   <tr><td>filters<td>Filters
 *   <tr><td>many callers, exports in rapid succession<td>Crowd
 *   <tr><td>socket factories<td>Sockets
 *   <tr><td>what is held after its use<td>Leaks
 *   <tr><td>references in both directions between the two runtimes<td>Mixed
 *   <tr><td>stubs by hand and by proxy<td>HandWritten
 *   <tr><td>what is left of older versions<td>Relics
 * </table>
 */
package io.karmi.difference;
