/** Spark jobs that import Spark and the JDK only. */
@NullMarked
package examples.spark;

import org.jspecify.annotations.NullMarked;
