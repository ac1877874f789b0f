/**
 * Channels of objects, over messaging or a socket: numbers, windows, acknowledgements, and the way
 * over a socket. Messaging has the other way.
 */
@NullMarked
package io.karmi.messaging.channel;

import org.jspecify.annotations.NullMarked;
