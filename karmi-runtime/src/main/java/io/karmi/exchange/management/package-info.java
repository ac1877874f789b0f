/** An exchange space as JMX sees it. */
@NullMarked
package io.karmi.exchange.management;

import org.jspecify.annotations.NullMarked;
