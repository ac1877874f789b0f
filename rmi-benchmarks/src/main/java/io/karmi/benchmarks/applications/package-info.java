/**
 * The paper's small applications (section 6.1c), as programs for stock RMI.
 *
 * <p>They call far more than solving their problem needs, from several threads: that is their
 * point. They import nothing but {@code java.*}.
 */
@NullMarked
package io.karmi.benchmarks.applications;

import org.jspecify.annotations.NullMarked;
