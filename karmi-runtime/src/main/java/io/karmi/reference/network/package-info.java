/**
 * The networks of a node: its technologies, the ports at which it listens in them, and ways by
 * bridges to nodes with which it has none in common.
 */
@NullMarked
package io.karmi.reference.network;

import org.jspecify.annotations.NullMarked;
