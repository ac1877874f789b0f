/**
 * What retrofitting replaces, as data, and what the user chose.
 *
 * <p>Everything that names a class of the JDK or of KaRMI stands in {@link
 * io.karmi.retrofit.rules.Rules}; a change in either is a change there. {@link
 * io.karmi.retrofit.rules.RetrofitOptions} is the one parser behind the agent's argument string and
 * the command's options, so both understand the same words. Nothing here knows byte code.
 */
@NullMarked
package io.karmi.retrofit.rules;

import org.jspecify.annotations.NullMarked;
