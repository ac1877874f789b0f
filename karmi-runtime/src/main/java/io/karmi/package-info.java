/**
 * Services of a node for programs ({@link io.karmi.Karmi}) and operators ({@link
 * io.karmi.NodeMXBean}).
 */
@NullMarked
package io.karmi;

import org.jspecify.annotations.NullMarked;
