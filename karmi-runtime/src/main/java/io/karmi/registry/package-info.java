/**
 * The naming service: names for remote objects, at the well-known number 0 of a port.
 *
 * <p>{@link Registries} creates one in this JVM (stock RMI's own class, guarded by a {@link
 * RegistrySkeleton}) and locates those of others ({@link RegistryStub}), on KaRMI or on stock RMI.
 * {@link KarmiRegistry} is the command.
 */
@NullMarked
package io.karmi.registry;

import org.jspecify.annotations.NullMarked;
