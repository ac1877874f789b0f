/** A job in a jar of its own: clusters that run it find its classes nowhere else. */
package jobs;
