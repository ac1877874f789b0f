/** The technology that docs/technologies.md shows. */
package io.karmi.example;
