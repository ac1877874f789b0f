/** The form in which a group lies in a file, and is sent to other hosts. */
@NullMarked
package io.karmi.exchange.record;

import org.jspecify.annotations.NullMarked;
