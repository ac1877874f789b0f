/**
 * Services of a node for programs ({@link io.karmi.Karmi}) and operators ({@link
 * io.karmi.NodeMXBean}), and the wiring of the runtime. Nothing imports this package: {@link
 * io.karmi.Karmi} is found by name.
 */
@NullMarked
package io.karmi;

import org.jspecify.annotations.NullMarked;
