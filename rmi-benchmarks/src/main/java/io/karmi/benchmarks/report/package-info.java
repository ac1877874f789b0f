/**
 * Makes what people read of {@link io.karmi.benchmarks.results.Results}: a table, pictures, a page,
 * and the comparison of two files.
 *
 * <p>FreeMarker fills the templates beside these classes, JFreeChart draws, JFreeSVG makes the
 * pictures text. The page needs nothing beside it and holds no script.
 */
@NullMarked
package io.karmi.benchmarks.report;

import org.jspecify.annotations.NullMarked;
