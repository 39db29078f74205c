// Stands in for a package that is bundled with another and of no use here: whatever is called gives something that
// does nothing when called.
module.exports = () => () => {};
