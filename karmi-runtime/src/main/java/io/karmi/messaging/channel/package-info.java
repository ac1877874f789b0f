/**
 * Channels of objects, whatever way leads to the other end: numbers, windows, acknowledgements, and
 * the way over a socket. Messaging has the other way.
 */
@NullMarked
package io.karmi.messaging.channel;

import org.jspecify.annotations.NullMarked;
