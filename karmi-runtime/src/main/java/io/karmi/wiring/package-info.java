/**
 * The wiring of this JVM's node: its configuration, its messaging, its bean. Nothing imports this
 * package: {@link io.karmi.wiring.Wiring} and {@link io.karmi.wiring.NodeMessagingHost} are found
 * by name.
 */
@NullMarked
package io.karmi.wiring;

import org.jspecify.annotations.NullMarked;
