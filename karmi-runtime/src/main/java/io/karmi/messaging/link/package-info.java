/**
 * Parts of a link that do not know it: the node it belongs to, who reads it, what it owes, how long
 * its peer is silent, and the pipe within a JVM.
 */
@NullMarked
package io.karmi.messaging.link;

import org.jspecify.annotations.NullMarked;
