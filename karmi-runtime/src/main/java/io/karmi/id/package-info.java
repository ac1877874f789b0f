/**
 * Names of nodes, remote objects and the ways to reach them: plain immutable values.
 *
 * <p>The lowest package of the runtime: it imports nothing of KaRMI. An {@link
 * io.karmi.id.ObjectId} says who is called; its {@link io.karmi.id.TechnologyId}s say through which
 * networks (paper 4.3). A node keeps, prints and forwards the UTID of a technology that it has
 * never heard of.
 */
@NullMarked
package io.karmi.id;

import org.jspecify.annotations.NullMarked;
