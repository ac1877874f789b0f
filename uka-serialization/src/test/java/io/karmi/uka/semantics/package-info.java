/**
 * Programs for {@code java.io}'s object streams, one file per topic of the specification; each runs
 * on the JDK's streams and on ours, see {@link io.karmi.uka.differential}.
 */
package io.karmi.uka.semantics;
