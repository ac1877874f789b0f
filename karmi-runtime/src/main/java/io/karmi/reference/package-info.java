/**
 * The reference layer: it chooses the callee, and has the semantics of calls (paper 4.1, 4.2).
 *
 * <p>Above lie stubs and skeletons, which know {@link io.karmi.reference.ClientRef} and {@link
 * io.karmi.reference.Skeleton}. Below lies a {@link io.karmi.technology.Technology}. A {@link
 * io.karmi.reference.Node} is the runtime of one JVM: its technologies, its exported objects, its
 * collector. All rules of RMI about exceptions are here: technologies report failures of the
 * network, skeletons what the method threw, and {@link io.karmi.reference.ServerRef} and {@link
 * io.karmi.reference.ClientRef} turn both into what an application of java.rmi expects.
 *
 * <p>What is where:
 *
 * <ul>
 *   <li>The caller's end: {@code ClientRef}; {@code ReplicatedRef} for several objects; {@code
 *       ReflectiveCall} for proxies.
 *   <li>The callee's end: {@code ServerRef}, {@code Skeleton}; {@code SuspendedCall} for futures;
 *       {@code Replies} for failures; {@code CallContext}.
 *   <li>Ways out of the node: {@code Routes}, {@code Technologies}, {@code LocalCalls}, {@code
 *       Bridges}. The way in: {@code Dispatcher}.
 *   <li>Exported objects: {@code Exporter}, {@code ExportTable}, {@code ExportLifetimes}, {@code
 *       ListeningEnds}.
 *   <li>Garbage collection: {@code Collectors}, {@code CollectorCalls}.
 *   <li>Observation: {@code NodeCallWatcher}, {@code LoggedCalls}, {@code CallLog}, {@code
 *       Inspection} and {@code Probe}.
 *   <li>What crosses the border of a node: {@code Translation}, {@code InterfaceFilter}.
 *   <li>For layers above to implement: {@code StubFactory}, {@code StoredForm}, {@code
 *       StockRuntime}, {@code Bridging}, {@code NodeFactory}.
 * </ul>
 *
 * <p>{@code Node} puts these together. None of them depends on it: references know their node as
 * {@code HomeNode}, the others are given the parts that they use.
 */
@NullMarked
package io.karmi.reference;

import org.jspecify.annotations.NullMarked;
