/**
 * Rewires existing class files to UKA and KaRMI: one transformer, three deliveries.
 *
 * <p>What is replaced by what stands in {@link io.karmi.retrofit.rules} as data; {@link
 * io.karmi.retrofit.rewrite} knows how to replace, and nothing about who asks. The deliveries are
 * neighbours that do not know each other: a jar or directory rewritten on disk ({@code jar}), patch
 * jars made from the JDK that is there ({@code boot}), and an agent that rewires at load time
 * ({@code agent}). {@code cli} is the command in front of the first two.
 */
@NullMarked
package io.karmi.retrofit;

import org.jspecify.annotations.NullMarked;
