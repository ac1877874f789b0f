/**
 * Manual pages and completion of the commands, made of their help when the distribution is built.
 */
package io.karmi.pages;
