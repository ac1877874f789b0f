/** Which technology two nodes use, of those that both have. */
package io.karmi.choice;
