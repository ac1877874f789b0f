/**
 * The settings of KaRMI: one row for each in {@link io.karmi.settings.Settings}, which parses,
 * checks and documents it.
 *
 * <p>Imports nothing of KaRMI, so that object streams and the runtime read their settings here.
 */
@NullMarked
package io.karmi.settings;

import org.jspecify.annotations.NullMarked;
