require "AssessmentBase.rb"

module @MODULE@
  include AssessmentBase

  def assessmentInitialize(course)
    super("@LAB@", course)
    @problems = []
  end
end
