/** How a group comes from its holders: who is asked, for which pieces, and what is believed. */
@NullMarked
package io.karmi.exchange.pull;

import org.jspecify.annotations.NullMarked;
