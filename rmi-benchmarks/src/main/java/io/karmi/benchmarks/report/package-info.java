/**
 * Makes what people and programs read of measurements: a table, JSON, and a page with a picture.
 *
 * <p>{@link Report} is the data; everything else here writes it. The page and the picture need
 * nothing beside them, and no graphics library: they are made on machines without fonts.
 */
@NullMarked
package io.karmi.benchmarks.report;

import org.jspecify.annotations.NullMarked;
