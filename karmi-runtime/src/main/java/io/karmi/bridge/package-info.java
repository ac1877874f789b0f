/**
 * The bridge between technology domains (paper 4.3 and 4.4): a node with two technologies forwards
 * calls for nodes that have none in common.
 *
 * <p>{@link io.karmi.bridge.Bridge} exports a forwarding object for each reference of another node
 * that this node hands on in a call. That object is a stub: its skeleton reads the arguments, the
 * stub sends them on. So references among them, results and exceptions cross as they cross in any
 * call, and each domain keeps its own collector: who holds the reference on one side holds the
 * forwarding object, and that holds the object on the other.
 *
 * <p>A bridge calls only what it has handed on itself, at the ways that the reference had then.
 */
@NullMarked
package io.karmi.bridge;

import org.jspecify.annotations.NullMarked;
