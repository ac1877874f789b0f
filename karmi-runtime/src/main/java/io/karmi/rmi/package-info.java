/**
 * The entry points of java.rmi, on KaRMI.
 *
 * <p>There are two ways in. A rewritten jar names the replacements of java.rmi's classes: {@link
 * UnicastRemoteObject}, {@link LocateRegistry}, {@link Naming}, {@link RemoteObjects} and {@link
 * RemoteServers} have the same methods as the classes of java.rmi whose place they take. Under the
 * agent and on the boot path the classes of java.rmi stay, and their bodies ask {@link Entry}
 * first. Both lead to {@link Exports} and to {@link io.karmi.registry.Registries}.
 *
 * <p>Exports with socket factories or a filter of their own, and the JDK's own remote objects
 * (JMX), go on to stock RMI.
 */
@NullMarked
package io.karmi.rmi;

import org.jspecify.annotations.NullMarked;
