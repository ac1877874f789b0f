/**
 * Rewires existing class files to UKA and KaRMI: one transformer, three deliveries.
 *
 * <p>{@link io.karmi.retrofit.rules} says as data what is replaced by what. {@link
 * io.karmi.retrofit.rewrite} replaces it, in the same way for all deliveries. The deliveries do not
 * depend on each other: a jar or directory rewritten on disk ({@code jar}), patch jars made from
 * the running JDK ({@code boot}), and an agent that rewires at load time ({@code agent}). {@code
 * cli} is the command in front of the first two.
 */
@NullMarked
package io.karmi.retrofit;

import org.jspecify.annotations.NullMarked;
