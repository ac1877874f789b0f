/**
 * What tests of all modules wait with and start JVMs with: {@link io.karmi.kit.Deadline} for
 * conditions, {@link io.karmi.kit.Jvm}, {@link io.karmi.kit.FreePort}, {@link
 * io.karmi.kit.Certificates} for TLS. Imports nothing of KaRMI.
 */
package io.karmi.kit;
