/**
 * The JDK's own stream format, as the Java Object Serialization Specification defines it (chapter
 * 6).
 *
 * <p>{@link io.karmi.uka.format.jdk.JdkFormatWriter} and {@link
 * io.karmi.uka.format.jdk.JdkFormatReader} are the terminals of its grammar, and nothing else: the
 * engine decides what is written in which order, as in every format. So files written yesterday
 * stay readable, and a peer that only has the JDK can be served. The bytes written are those that
 * the JDK would write, one by one.
 *
 * <p>A format with another layout is another pair of classes below {@code io.karmi.uka.format};
 * nothing here is meant to be extended.
 */
@NullMarked
package io.karmi.uka.format.jdk;

import org.jspecify.annotations.NullMarked;
