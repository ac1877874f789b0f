/**
 * Spark's records, task results and broadcasts in UKA's format: {@code
 * spark.serializer=io.karmi.spark.UkaSerializer}.
 *
 * <p>Spark sees the four classes it asks for: {@link io.karmi.spark.UkaSerializer}, its instances,
 * and their two kinds of streams. Below them are UKA's public object streams; nothing of Spark's is
 * reached but its public classes. Settings are in {@link io.karmi.spark.UkaSettings}; the bytes are
 * described in {@link io.karmi.spark.Units}.
 *
 * <p>A record that is cut off, damaged or written by another serializer is an {@link
 * java.io.IOException} that names the offset; Spark fails the task, and retries it. Only the end of
 * a stream between two records is an {@link java.io.EOFException}, which ends Spark's iterators.
 */
@NullMarked
package io.karmi.spark;

import org.jspecify.annotations.NullMarked;
