/** What the flight recorder is told of what is read. */
@NullMarked
package io.karmi.uka.engine.read.event;

import org.jspecify.annotations.NullMarked;
