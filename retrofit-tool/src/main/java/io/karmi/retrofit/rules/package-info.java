/**
 * Rules of retrofitting, as data, and the user's options.
 *
 * <p>All names of classes of the JDK and of KaRMI are in {@link io.karmi.retrofit.rules.Rules}.
 * {@link io.karmi.retrofit.rules.RetrofitOptions} parses both the agent's argument string and the
 * command's options. Nothing here knows byte code.
 */
@NullMarked
package io.karmi.retrofit.rules;

import org.jspecify.annotations.NullMarked;
