/**
 * Parts of a link that do not know it: who reads it, what it owes, and how long its peer is silent.
 */
@NullMarked
package io.karmi.messaging.link;

import org.jspecify.annotations.NullMarked;
