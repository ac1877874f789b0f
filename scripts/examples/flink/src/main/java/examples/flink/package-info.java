/** Flink jobs that import Flink and the JDK only. */
@NullMarked
package examples.flink;

import org.jspecify.annotations.NullMarked;
