/**
 * Parts of a link that do not know it ({@code Link} itself is in the package above): the node it
 * belongs to, who reads it, what it owes, how long its peer is silent, and the pipe within a JVM.
 */
@NullMarked
package io.karmi.messaging.link;

import org.jspecify.annotations.NullMarked;
