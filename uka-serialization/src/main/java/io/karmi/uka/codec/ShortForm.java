package io.karmi.uka.codec;

import io.karmi.uka.format.uka.PlatformDescriptions;

/**
 * Short form of the data of one class of the platform.
 *
 * @param name of the class
 * @param codec of its family, which expands the form
 * @param table of the descriptions that the general form may name by their numbers
 */
record ShortForm(String name, PlatformCodec codec, PlatformDescriptions table) {}
