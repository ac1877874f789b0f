/** Frames of messages, and the memory that they and what they describe take. */
@NullMarked
package io.karmi.messaging.frame;

import org.jspecify.annotations.NullMarked;
